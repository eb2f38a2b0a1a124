/** Formats numbers and times for the page: six digits, UTC, independent of the locale. */
const DAY = 86_400
const HOUR = 3_600
const MINUTE = 60

/** The minus sign U+2212 is as wide as a plus. */
const MINUS = '\u2212'

/** A number with at most `most` significant digits, and separated thousands. */
export function digits(value: number, most = 6): string {
  if (!Number.isFinite(value)) return 'n/a'
  if (value === 0) return '0'
  const size = Math.abs(value)
  const whole = Math.floor(Math.log10(size)) + 1
  const places = Math.min(12, Math.max(0, most - Math.max(whole, size < 1 ? whole : 1)))
  const [integer = '0', fraction = ''] = size.toFixed(places).split('.')
  const rest = fraction.replace(/0+$/, '')
  const grouped = integer.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return `${value < 0 ? MINUS : ''}${grouped}${rest === '' ? '' : `.${rest}`}`
}

/** A count. */
export function formatCount(value: number): string {
  return digits(Math.round(value), 15)
}

/** A fraction as a percentage. */
export function percent(value: number, most = 4): string {
  return `${digits(100 * value, most)} %`
}

/** A figure with its unit. */
export function figure(value: number, unit: string, currency: string | null): string {
  switch (unit) {
    case 'part':
      return percent(value)
    case 'currency':
      return `${digits(value)} ${currency ?? ''}`.trim()
    case 'basis points':
      return `${digits(value, 4)} bps`
    case 'count':
      return digits(value, 15)
    case 'ratio':
      return digits(value, 4)
    case 'days':
    case 'seconds':
    case 'minutes':
      return `${digits(value, 5)} ${unit}`
    default:
      return digits(value)
  }
}

/** A time in UTC, with as many digits of a second as it needs. */
export function formatTime(seconds: number): string {
  const iso = new Date(Math.floor(seconds) * 1_000).toISOString()
  const rest = seconds - Math.floor(seconds)
  const millis = rest > 0.0005 ? rest.toFixed(3).slice(1) : ''
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${millis}`
}

/** The labels of a time axis whose ticks are `step` seconds apart. */
export function axisTimes(marks: readonly number[], step: number): string[] {
  let day = ''
  return marks.map((mark) => {
    const text = formatTime(mark)
    const date = text.slice(0, 10)
    if (step >= DAY) return date
    const clock = step >= MINUTE ? text.slice(11, 16) : text.slice(11)
    const label = date === day ? clock : `${clock}\n${date}`
    day = date
    return label
  })
}

/** A duration in its two largest units. */
export function duration(seconds: number): string {
  const parts: readonly (readonly [string, number])[] = [
    ['d', DAY],
    ['h', HOUR],
    ['min', MINUTE],
    ['s', 1],
  ]
  const first = parts.findIndex(([, size]) => seconds >= size)
  if (first < 0) return `${digits(seconds, 3)} s`
  const [unit = 's', size = 1] = parts[first] ?? []
  const whole = Math.floor(seconds / size)
  const next = parts[first + 1]
  if (next === undefined) return `${digits(seconds, 4)} ${unit}`
  const rest = Math.floor((seconds - whole * size) / next[1])
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${next[0]}`
}

/** A word of the data in readable form. */
export function wordsText(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/\b(?:cagr|adl|sqn|mmp|usd|lsp)\b/g, (word) => word.toUpperCase())
    .replace(/\b(?:sharpe|sortino|calmar|martin|kelly)\b/g, capital)
}

/** A text with an upper-case first letter. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
