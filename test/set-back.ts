import { vi } from 'vitest'

const hour = 3_600_000

interface SetBack extends Disposable {
  /** Moves the machine's clock and that of the process on. */
  pass(milliseconds: number): void
}

/** Sets the machine's clock back by an hour. */
export function setBack(): SetBack {
  const [wall, steady] = [Date.now.bind(Date), performance.now.bind(performance)]
  let passed = 0
  const clocks = [
    vi.spyOn(Date, 'now').mockImplementation(() => wall() - hour + passed),
    vi.spyOn(performance, 'now').mockImplementation(() => steady() + passed),
  ]
  return {
    pass: (milliseconds) => void (passed += milliseconds),
    [Symbol.dispose]() {
      for (const clock of clocks) clock.mockRestore()
    },
  }
}
