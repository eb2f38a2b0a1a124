/**
 * Channels that tell how something stands whenever that has changed: tickers, indices, figures of an account.
 */
import {
  type Channel,
  type ChannelSubject,
  type Interval,
  type Tellers,
  takersOf,
  takersOfAll,
} from './channel.ts'

/** Source of such a channel. */
export interface ViewSource<View extends object, Change extends object = never> {
  readonly interval: Interval
  readonly subject: ChannelSubject
  /** The view now; undefined for nothing. */
  look(): View | undefined
  /** A value that changes with inputs that have no event, such as the levels of a recorded book. */
  version?(): number | string
  /** Families whose events may have changed it, and whether one has; else every event that reaches the channel may. */
  readonly touchedBy?: Tellers<boolean>
  /** The message of a change since the message before; without it the whole view is sent. */
  change?(before: View, now: View): Change
}

/** A channel of such a source. A view that differs in its `timestamp` alone has not changed. */
export function viewChannel<View extends object, Change extends object = never>(
  source: ViewSource<View, Change>,
): Channel<View | Change> {
  const { interval, subject } = source
  let isTouched = false
  let version: number | string = 0
  let told: { readonly view: View; readonly text: string } | undefined
  /** True if a new subscriber has seen a change before it was sent. */
  let isShown = false
  const tell = (view: View): void => {
    told = { view, text: textOf(view) }
    version = source.version?.() ?? 0
    isTouched = false
    isShown = false
  }
  const isPending = (): boolean => isTouched || (source.version?.() ?? 0) !== version
  return {
    interval,
    subject,
    first: () => {
      const view = source.look()
      if (view === undefined) return []
      // The first message to one subscriber is not the next message to the others.
      if (told === undefined) tell(view)
      else isShown ||= isPending()
      return [view]
    },
    takes:
      source.touchedBy === undefined
        ? takersOfAll(() => {
            isTouched = true
          })
        : takersOf(source.touchedBy, (touches) => {
            isTouched ||= touches
          }),
    collect: () => {
      if (!isPending()) return []
      const before = told
      const isKnown = !isShown
      const view = source.look()
      if (view === undefined) return []
      tell(view)
      if (before === undefined) return [view]
      if (before.text === told?.text) return isKnown ? [] : [view]
      return [source.change?.(before.view, view) ?? view]
    },
  }
}

function textOf(view: object): string {
  return JSON.stringify({ ...view, timestamp: 0 })
}
