import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { GenerateEvent } from '../generate/events.ts'
import type { EventMapper } from '../generate/mapper.ts'
import { isPluginError, markPluginError } from '../kit/plugin-errors.ts'
import { isThenable } from '../lib/maybe-promise.ts'
import { type HookOptions, aboutOf } from './plugin-failures.ts'

/** Whether the events of one reply say of parts only what can be said of them by then. */
export class PartOrder {
  /** By index: whether the part is still open. A hole is a part that has not begun. */
  readonly #isOpen: boolean[] = []

  /** What is wrong with this event in this place, as a clause; nothing, nearly always. */
  fault(event: GenerateEvent): string | undefined {
    if (event.type === 'finish') return this.#unended()
    if (!('index' in event)) return undefined
    const { type, index } = event
    const isOpen = this.#isOpen[index]
    if (type === 'part') {
      if (isOpen !== undefined) return `a second \`part\` of index ${index}`
      this.#isOpen[index] = true
      return undefined
    }
    if (isOpen === undefined) return `the \`${type}\` of part ${index} without its \`part\``
    if (!isOpen) return `the \`${type}\` of part ${index} after its \`end\``
    if (type === 'end') this.#isOpen[index] = false
    return undefined
  }

  #unended(): string | undefined {
    const index = this.#isOpen.indexOf(true)
    return index < 0 ? undefined : `\`finish\` without the \`end\` of part ${index}`
  }
}

/**
 * A plugin's mapper, of which `failed` makes an error where it fails: where it throws, waits, emits
 * what is out of order, or lets a reply go on without its end. What fails behind it is not its own,
 * and what it means to tell the client stays as it is. No account is blamed for either, unless it
 * told the error itself.
 */
export function guardedMapper(
  mapper: EventMapper,
  failed: (error: unknown) => GatewayError,
): EventMapper {
  const order = new PartOrder()
  let ending: 'finish' | 'error' | undefined
  return {
    map(event, emit) {
      // What an account told stays its own, in whatever words.
      const isTold = event.type === 'error' && !isPluginError(event)
      let behind: { error: unknown } | undefined
      let disorder: string | undefined
      try {
        const done: unknown = mapper.map(event, (changed) => {
          if (ending === 'error') return
          disorder ??= order.fault(changed)
          if (disorder) return
          if (changed.type === 'finish' || changed.type === 'error') ending = changed.type
          if (changed.type === 'error' && !isTold) markPluginError(changed)
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
        if (!isTold) markPluginError(own)
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

type Editor = GatewayPlugin & Required<Pick<GatewayPlugin, 'onEvents'>>

/** The one mapper of a plugin, or none. Where it fails operators read why, and the client that. */
export function mapperOf(
  plugin: Editor,
  exchange: Routed,
  { onHookError }: HookOptions,
): readonly EventMapper[] {
  const failed = (error: unknown) => {
    onHookError(plugin, 'onEvents', error, aboutOf(exchange, plugin, exchange.candidate))
    const message = 'A plugin of the gateway failed on this reply.'
    return new GatewayError('plugin_failed', message, { cause: error })
  }
  try {
    const mapper = plugin.onEvents({ exchange })
    return mapper ? [guardedMapper(mapper, failed)] : []
  } catch (error) {
    throw GatewayError.isInstance(error) ? error : failed(error)
  }
}
