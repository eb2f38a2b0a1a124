/**
 * Channels that tell how something stands whenever that has changed: tickers, indices, figures of an account.
 */
import { type Channel, type ChannelSubject, type Interval, type Tellers, takersOf, takersOfAll } from './channel.ts'

/** Source of such a channel. */
export interface ViewSource<View extends object, Change extends object = never> {
  readonly interval: Interval
  readonly subject: ChannelSubject
  /** The view now; undefined for nothing. */
  look(): View | undefined
  /** Values whose changes have no event, such as the number of changes of a recorded book. */
  inputs?(): readonly (number | string)[]
  /** Families whose events may have changed it, and whether one has; else every event that reaches the channel may. */
  readonly touchedBy?: Tellers<boolean>
  /** The part of a view whose changes are sent; all of it but its `timestamp` if omitted. */
  content?(view: View): unknown
  /** The message of a change since the message before; without it the whole view is sent. */
  change?(before: View, now: View): Change
}

/** A channel of such a source. */
export function viewChannel<View extends object, Change extends object = never>(
  source: ViewSource<View, Change>,
): Channel<View | Change> {
  const { interval, subject } = source
  let isTouched = false
  let inputs: readonly (number | string)[] = []
  let isOpen = false
  let told: { readonly view: View; readonly text: string } | undefined
  /** True if a new subscriber has seen a change before it was sent. */
  let isShown = false
  const tell = (view: View): void => {
    const content = source.content?.(view) ?? { ...view, timestamp: 0 }
    told = { view, text: JSON.stringify(content) }
    inputs = source.inputs?.() ?? inputs
    isTouched = false
    isShown = false
  }
  const isPending = (): boolean => isTouched || (source.inputs?.().some((value, at) => value !== inputs[at]) ?? false)
  return {
    interval,
    subject,
    first: () => {
      const view = source.look()
      // The first message to one subscriber is not the next message to the others.
      if (isOpen) isShown ||= isPending()
      else if (view !== undefined) tell(view)
      isOpen = true
      return view === undefined ? [] : [view]
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
      const wasShown = isShown
      const view = source.look()
      if (view === undefined) return []
      tell(view)
      // Some subscribers know another view than the one before, so a change from it does not suffice.
      if (before === undefined || wasShown) return [view]
      if (before.text === told?.text) return []
      return [source.change?.(before.view, view) ?? view]
    },
  }
}
