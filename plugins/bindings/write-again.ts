import { type Binding, type BindingName, type Bindings, keyOf } from '../../src/stores/bindings.ts'

/** How often writes that failed are tried again, and how long, in milliseconds. */
const pauseMs = 1_000
const longestMs = 10 * 60_000
/** Beyond so many the oldest is given up: a store that is away must not fill the memory. */
const mostWaiting = 10_000

/** Bindings whose write failed after a good reply. They are known here before the store has them. */
export interface WriteAgain {
  add(name: BindingName, binding: Binding): void
  find(name: BindingName): Binding | undefined
  forget(name: BindingName): void
  readonly waiting: number
  /** Given up: nobody will find them again. */
  readonly lost: number
  close(): void
}

interface Waiting {
  readonly name: BindingName
  readonly binding: Binding
  readonly since: number
}

/** Writes again what could not be written, for ten minutes. `onLost` is told of what it gives up. */
export function writeAgain(bindings: Bindings, onLost: (name: BindingName) => void): WriteAgain {
  const waiting = new Map<string, Waiting>()
  let lost = 0
  let timer: NodeJS.Timeout | undefined

  function giveUp(key: string, { name }: Waiting): void {
    waiting.delete(key)
    lost++
    onLost(name)
  }

  /** One after another: the first that fails says that the store is still away. */
  async function writeAll(): Promise<void> {
    for (const [key, one] of waiting) {
      if (performance.now() - one.since > longestMs) giveUp(key, one)
      else {
        try {
          await bindings.save(one.name, one.binding)
          if (waiting.get(key) === one) waiting.delete(key)
        } catch {
          return
        }
      }
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      void writeAll().finally(() => {
        timer = undefined
        if (waiting.size > 0) schedule()
      })
    }, pauseMs).unref()
  }

  return {
    add(name, binding) {
      waiting.set(keyOf(name), { name, binding, since: performance.now() })
      const [oldest] = waiting
      if (waiting.size > mostWaiting && oldest) giveUp(...oldest)
      schedule()
    },
    find: (name) => waiting.get(keyOf(name))?.binding,
    forget: (name) => void waiting.delete(keyOf(name)),
    get waiting() {
      return waiting.size
    },
    get lost() {
      return lost
    },
    close: () => clearTimeout(timer),
  }
}
