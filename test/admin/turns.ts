import { vi } from 'vitest'

/** `nextTurn` waits for the second immediate, so that other sockets are looked at between. */
const immediatesOfTurn = 2

/**
 * Counts the turns of the event loop that work leaves to others, while each look at the clock says that the
 * present turn has lasted long enough.
 */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000))
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  try {
    await work()
  } finally {
    clearImmediate(next)
    clock.mockRestore()
  }
  return turns / immediatesOfTurn
}
