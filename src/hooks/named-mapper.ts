import { GatewayError } from '../errors.ts'
import type { EventMapper } from '../generate/mapper.ts'
import { isThenable } from '../maybe-promise.ts'
import { isOwnError, noteOwnError } from '../own-errors.ts'
import { PartOrder } from './part-order.ts'

/**
 * A plugin's mapper, of which `failed` makes an error where it fails: where it throws, waits, emits
 * what is out of order, or lets a reply go on without its end. What fails behind it is not its own,
 * and what it means to tell the client stays as it is. No account is blamed for either, unless it
 * told the error itself.
 */
export function namedMapper(
  mapper: EventMapper,
  failed: (error: unknown) => GatewayError,
): EventMapper {
  const order = new PartOrder()
  let ending: 'finish' | 'error' | undefined
  return {
    push(event, emit) {
      // What an account told stays its own, in whatever words.
      const isTold = event.type === 'error' && !isOwnError(event)
      let behind: { error: unknown } | undefined
      let disorder: string | undefined
      try {
        const done: unknown = mapper.push(event, (changed) => {
          if (ending === 'error') return
          disorder ??= order.fault(changed)
          if (disorder) return
          if (changed.type === 'finish' || changed.type === 'error') ending = changed.type
          if (changed.type === 'error' && !isTold) noteOwnError(changed)
          try {
            emit(changed)
          } catch (error) {
            behind = { error }
            throw error
          }
        })
        if (isThenable(done)) refuseToWait(done)
        if (disorder) throw new Error(`push emitted ${disorder}`)
        if (event.type === 'finish' && !ending) {
          throw new Error('push took the end of the reply away: no `finish` was emitted for it')
        }
      } catch (error) {
        if (behind?.error === error) throw error
        const own = GatewayError.isInstance(error) ? error : failed(error)
        if (!isTold) noteOwnError(own)
        throw own
      }
    },
  }
}

/** What comes later would be out of order, or missing from a reply that looks complete. */
function refuseToWait(done: PromiseLike<unknown>): never {
  void Promise.resolve(done).catch(() => {})
  throw new Error('push returned a promise: events are emitted at once')
}
