import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { GenerateEvent } from '../generate/events.ts'
import type { Emit, EventMapper } from '../generate/mapper.ts'
import { isPluginError, markPluginError } from '../kit/plugin-errors.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { inScope, outOfScope } from '../lib/named-scope.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import { within } from '../lib/deadline.ts'
import { type HookOptions, aboutOf } from './plugin-failures.ts'

/** Checks the order of the events of one reply: each part begins once and ends before `finish`. */
class PartOrder {
  /** By index: whether the part is open. A hole is a part that has not begun. */
  readonly #isOpen: boolean[] = []

  /** Returns the fault of the next event as a clause; `undefined` for a valid event. */
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

/** The arguments of a mapper's guard besides the mapper. */
interface GuardOptions {
  /** Reports an error, and returns the client's. */
  readonly failed: (error: unknown) => GatewayError
  readonly pluginMs: number
  /** The name of the plugin. */
  readonly plugin: string
}

/**
 * Wraps a plugin's mapper. Calls `failed`, and throws the error that it returns, if the mapper throws or
 * rejects, waits too long or without having declared it, emits events late or out of order, or drops a
 * reply's `finish`. Rethrows unchanged a `GatewayError` of the mapper and errors of `emit`. Marks errors
 * as the plugin's, so that no account is blamed, unless the account reported the error itself.
 */
class GuardedMapper implements EventMapper {
  readonly waits: boolean
  readonly #mapper: EventMapper
  readonly #options: GuardOptions
  readonly #order = new PartOrder()
  #ending: 'finish' | 'error' | undefined

  constructor(mapper: EventMapper, options: GuardOptions) {
    this.waits = mapper.waits === true
    this.#mapper = mapper
    this.#options = options
  }

  map(event: GenerateEvent, emit: Emit, signal: AbortSignal): MaybePromise<void> {
    // An account's error remains the account's if the mapper rewords it.
    const isAccountError = event.type === 'error' && !isPluginError(event)
    let downstream: { error: unknown } | undefined
    let disorder: string | undefined
    let isOver = false
    const pass: Emit = (changed) => {
      if (isOver) throw new Error('map emitted an event too late')
      if (this.#ending === 'error') return
      disorder ??= this.#order.fault(changed)
      if (disorder) return
      if (changed.type === 'finish' || changed.type === 'error') this.#ending = changed.type
      if (changed.type === 'error' && !isAccountError) markPluginError(changed)
      try {
        emit(changed)
      } catch (error) {
        downstream = { error }
        throw error
      }
    }
    const check = () => {
      isOver = true
      if (disorder) throw new Error(`map emitted ${disorder}`)
      if (event.type === 'finish' && !this.#ending) {
        throw new Error('map dropped the end of the reply: it emitted no `finish` for it')
      }
    }
    const refuse = (error: unknown): never => {
      isOver = true
      // The event is not needed any more: an error of the mapper is the answer to its signal.
      if (signal.aborted || downstream?.error === error) throw error
      const own = GatewayError.isInstance(error) ? error : this.#options.failed(error)
      if (!isAccountError) markPluginError(own)
      throw own
    }
    try {
      const done = this.#call(event, pass, signal)
      if (!isThenable(done)) return check()
      if (!this.waits) rejectPromise(done)
      return this.#settled(done, signal).then(check).catch(refuse)
    } catch (error) {
      return refuse(error)
    }
  }

  /** A mapper runs in the scope of its plugin; the receivers of its events do not. */
  #call(event: GenerateEvent, pass: Emit, signal: AbortSignal): MaybePromise<void> {
    const emit: Emit = (changed) => outOfScope(() => pass(changed))
    return inScope(this.#options.plugin, () => this.#mapper.map(event, emit, signal))
  }

  #settled(done: Promise<void>, signal: AbortSignal): Promise<void> {
    const { pluginMs } = this.#options
    const late = () => new Error(`map did not finish with an event within ${pluginMs} ms.`)
    return untilAborted(within(pluginMs, Promise.resolve(done), late), signal)
  }
}

/** Events that a mapper emits later would be out of order, or missing from a reply that looks complete. */
function rejectPromise(done: PromiseLike<unknown>): never {
  void Promise.resolve(done).catch(() => {})
  throw new Error('map returned a promise: a mapper that waits declares `waits: true`')
}

type Editor = GatewayPlugin & Required<Pick<GatewayPlugin, 'onEvents'>>

/** The mapper of a plugin, or none. Its failures are reported in full, and reach the client as `plugin_failed`. */
export function mapperOf(
  plugin: Editor,
  exchange: Routed,
  { onHookError, pluginMs }: HookOptions,
): readonly EventMapper[] {
  const failed = (error: unknown) => {
    onHookError(plugin, 'onEvents', error, aboutOf(exchange, plugin, exchange.candidate))
    const message = 'A plugin of the gateway failed on this reply.'
    return new GatewayError('plugin_failed', message, { cause: error })
  }
  try {
    const mapper = plugin.onEvents({ exchange })
    return mapper ? [new GuardedMapper(mapper, { failed, pluginMs, plugin: plugin.name })] : []
  } catch (error) {
    throw GatewayError.isInstance(error) ? error : failed(error)
  }
}
