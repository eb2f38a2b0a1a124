/**
 * Channels that send a view whenever it has changed: tickers, indices, summaries of an account.
 */
import { type Channel, type ChannelSubject, type Interval, type Tellers, takersOf, takersOfAll } from './channel.ts'

/** The source of such a channel. */
export interface ViewSource<View extends object, Change extends object = never> {
  readonly interval: Interval
  readonly subject: ChannelSubject
  /** The current view, or undefined. */
  look(): View | undefined
  /** Values that can change without an event, such as the number of changes of a recorded book. */
  inputs?(): readonly (number | string)[]
  /**
   * Families of events that may change the view, each with a function that says whether an event did. Without it, every
   * event that reaches the channel may change the view.
   */
  readonly touchedBy?: Tellers<boolean>
  /** The part of a view that the channel compares; the view without its `timestamp` if omitted. */
  content?(view: View): unknown
  /** Makes the message of a change since the previous message; without it the whole view is sent. */
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
  /** True if a new subscriber has seen a change that the other subscribers have not received yet. */
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
      // Only the channel's first subscription sets the last sent view. A later first message does not reach the
      // other subscribers.
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
      // Some subscribers have seen a later view than the one sent last, so the message must be whole.
      if (before === undefined || wasShown) return [view]
      if (before.text === told?.text) return []
      return [source.change?.(before.view, view) ?? view]
    },
  }
}
