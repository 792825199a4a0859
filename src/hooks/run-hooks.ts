import type { Outbound } from '../contract/outbound.ts'
import type { Authenticated, Received, Routed, Understood } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { GatewayPlugin, ProducedInput, RefusalInput, Verdict } from '../contract/plugin.ts'
import { changedOutbound } from './changed-outbound.ts'
import { type Hook, type HookOptions, type PluginFailures, aboutOf } from './plugin-failures.ts'
import type { Caller, RefusedKey } from '../contract/request.ts'
import { isRefused } from '../exchange/identify.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Pin } from '../contract/call.ts'
import { rootOf } from '../kit/account-path.ts'
import type { RefusalSubject } from '../contract/refusal.ts'

/** The input of a hook around the work on an exchange. */
export interface AroundInput<E extends Received> {
  readonly exchange: E
  readonly next: () => Promise<Reply>
}

/** The hooks of all plugins around the same work. */
interface Around<P extends GatewayPlugin, E extends Received> {
  readonly plugins: readonly P[]
  readonly hook: Hook<P, AroundInput<E>, Reply>
  readonly failures: PluginFailures
  /** Turns an error that a plugin throws into a reply, for the plugins around it. Absent: they get the error. */
  readonly toReply?: (exchange: E, error: unknown) => Reply
}

/** Nests the plugins' hooks around their core, `last`. `next` throws if a plugin calls it twice. */
export function onion<P extends GatewayPlugin, E extends Received>(
  around: Around<P, E>,
  exchange: E,
  last: () => Promise<Reply>,
  index = 0,
): Promise<Reply> {
  const { plugins, hook, failures, toReply } = around
  const plugin = plugins[index]
  // The work inside of `toReply` makes replies of its own errors.
  if (!plugin) return index === 0 || toReply ? last() : failures.innermost(exchange, last)
  let called = false
  let inner: Promise<Reply> | undefined
  const next = () => {
    if (called) throw new Error(`Plugin "${plugin.name}" called next() twice.`)
    called = true
    inner = onion(around, exchange, last, index + 1)
    if (toReply && index + 1 < plugins.length)
      inner = inner.catch((error: unknown) => toReply(exchange, error))
    return inner
  }
  return failures.guardReply(hook, plugin, { exchange, next }, () => inner)
}

type Attempter = GatewayPlugin & Required<Pick<GatewayPlugin, 'onAttempt'>>
type AttemptInput = Parameters<Attempter['onAttempt']>[0]

const onAttempt: Hook<Attempter, AttemptInput, Reply> = {
  name: 'onAttempt',
  call: (plugin, input) => plugin.onAttempt(input),
}

/** The work inside the innermost `onAttempt`. */
interface AttemptEnd {
  readonly failures: PluginFailures
  readonly last: (outbound: Outbound) => Promise<Reply>
}

/**
 * Nests the `onAttempt` hooks. Unlike other hooks they may call `next` again, to repeat the request. They may call it
 * with another request, which is checked; an unchanged one is not.
 */
export function attemptOnion(
  plugins: readonly Attempter[],
  exchange: Routed,
  outbound: Outbound,
  end: AttemptEnd,
  index = 0,
): Promise<Reply> {
  const plugin = plugins[index]
  if (!plugin) {
    return end.failures.innermost(exchange, () => {
      // A hook may have changed it in place.
      const { account, dialect } = exchange.candidate
      if (outbound.origin !== rootOf(account, dialect).origin) throw otherOrigin()
      return end.last(outbound)
    })
  }
  let inner: Promise<Reply> | undefined
  const next = (changed?: Outbound) => {
    try {
      const sent = !changed || changed === outbound ? outbound : changedOutbound(outbound, changed)
      return (inner = attemptOnion(plugins, exchange, sent, end, index + 1))
    } catch (error) {
      // oxlint-disable-next-line prefer-promise-reject-errors -- it is passed on as it was thrown
      return Promise.reject(error)
    }
  }
  return end.failures.guardReply(onAttempt, plugin, { exchange, outbound, next }, () => inner)
}

function otherOrigin(): Error {
  return new Error('A plugin changed the origin of a request in place.')
}

type Authenticator = GatewayPlugin & Required<Pick<GatewayPlugin, 'onAuthenticate'>>
type AuthenticateInput = Parameters<Authenticator['onAuthenticate']>[0]
type Found = Caller | RefusedKey | undefined

const onAuthenticate: Hook<Authenticator, AuthenticateInput, Found> = {
  name: 'onAuthenticate',
  call: (plugin, input) => plugin.onAuthenticate(input),
}

/**
 * Returns the caller of the first plugin that finds one; if none does, the first key that a plugin refuses. Returns
 * a promise only if a plugin returns one.
 */
export function firstCaller(
  plugins: readonly Authenticator[],
  input: AuthenticateInput,
  failures: PluginFailures,
  from = 0,
  refused?: RefusedKey,
): MaybePromise<Found> {
  for (let index = from; index < plugins.length; index++) {
    const found = failures.guard(onAuthenticate, plugins[index]!, input, identity)
    if (isThenable(found)) {
      return found.then((known) =>
        known && !isRefused(known)
          ? known
          : firstCaller(plugins, input, failures, index + 1, refused ?? known),
      )
    }
    if (!found) continue
    if (!isRefused(found)) return found
    refused ??= found
  }
  return refused
}

const identity = (found: Found) => found

type Gatekeeper = GatewayPlugin & Required<Pick<GatewayPlugin, 'onCaller'>>

const onCaller: Hook<Gatekeeper, { readonly exchange: Authenticated }, void> = {
  name: 'onCaller',
  call: (plugin, input) => plugin.onCaller(input),
}

/** Asks each plugin whether the caller may go on. Returns a promise only if a plugin returns one. */
export function admitCaller(
  plugins: readonly Gatekeeper[],
  exchange: Authenticated,
  failures: PluginFailures,
  from = 0,
): MaybePromise<void> {
  for (let index = from; index < plugins.length; index++) {
    const asked = failures.guard(onCaller, plugins[index]!, { exchange }, () => {})
    if (isThenable(asked)) {
      return asked.then(() => admitCaller(plugins, exchange, failures, index + 1))
    }
  }
  return undefined
}

type CallGatekeeper = GatewayPlugin & Required<Pick<GatewayPlugin, 'onUnderstood'>>

const onUnderstood: Hook<
  CallGatekeeper,
  { readonly exchange: Understood },
  Readonly<Record<string, string>> | void
> = { name: 'onUnderstood', call: (plugin, input) => plugin.onUnderstood(input) }

/** Asks each plugin whether the call may go on. Returns a promise only if a plugin returns one. */
export function admitCall(
  plugins: readonly CallGatekeeper[],
  exchange: Understood,
  failures: PluginFailures,
  from = 0,
): MaybePromise<void> {
  const { progress } = exchange
  const accept = (headers: Readonly<Record<string, string>> | void) => {
    if (headers) progress.headers = { ...progress.headers, ...headers }
  }
  for (let index = from; index < plugins.length; index++) {
    const asked = failures.guard(onUnderstood, plugins[index]!, { exchange }, accept)
    if (isThenable(asked)) {
      return asked.then(() => admitCall(plugins, exchange, failures, index + 1))
    }
  }
  return undefined
}

/** The verdicts of all plugins on a call's candidates. */
export interface Verdicts {
  /** The verdicts on each candidate. Absent if no plugin returned any. */
  verdicts?: Verdict[][]
  pin?: Pin
}

type Judge = GatewayPlugin & Required<Pick<GatewayPlugin, 'onCandidates'>>
type Result = Awaited<ReturnType<Judge['onCandidates']>>

/** The input of `onCandidates`. */
interface VerdictInput {
  readonly exchange: Understood
  readonly candidates: readonly Candidate[]
}

const onCandidates: Hook<Judge, VerdictInput, Result> = {
  name: 'onCandidates',
  call: (plugin, input) => plugin.onCandidates(input),
}

/** Calls `onCandidates` of every plugin in turn. Returns a promise only if a plugin returns one. */
export function collectVerdicts(
  plugins: readonly Judge[],
  input: VerdictInput,
  failures: PluginFailures,
  collected: Verdicts = {},
  from = 0,
): MaybePromise<Verdicts> {
  const accept = (result: Result) => note(collected, result, input.candidates)
  for (let index = from; index < plugins.length; index++) {
    const noted = failures.guard(onCandidates, plugins[index]!, input, accept)
    if (isThenable(noted)) {
      return noted.then(() => collectVerdicts(plugins, input, failures, collected, index + 1))
    }
  }
  return collected
}

function note(collected: Verdicts, result: Result, candidates: readonly Candidate[]): void {
  if (!result) return
  if (isPin(result)) collected.pin = mergePins(collected.pin, result)
  else {
    const verdicts = (collected.verdicts ??= candidates.map((): Verdict[] => []))
    result.forEach((verdict, index) => verdict && verdicts[index]?.push(verdict))
  }
}

function isPin(result: NonNullable<Result>): result is Pin {
  return 'pinnedTo' in result
}

/** Merges two pins. Throws `GatewayError` for pins to different accounts, since none can serve the call. */
function mergePins(first: Pin | undefined, second: Pin): Pin {
  if (!first) return second
  const stored = first.stored ?? second.stored
  if (first.pinnedTo === undefined || second.pinnedTo === undefined) {
    const owned = first.pinnedTo === undefined ? second : first
    return { ...owned, ...(stored && { stored }) }
  }
  if (first.pinnedTo === second.pinnedTo) return { ...second, ...(stored && { stored }) }
  throw new GatewayError(
    'invalid_value',
    'The request refers to resources that belong to different accounts.',
  )
}

type RefusalJudge = GatewayPlugin & Required<Pick<GatewayPlugin, 'onRefusal'>>

/**
 * Returns the subject of an unclear refusal that the first answering plugin names. A plugin that fails is
 * reported, and has no answer.
 */
export async function firstSubject(
  plugins: readonly RefusalJudge[],
  input: RefusalInput,
  { onHookError }: Pick<HookOptions, 'onHookError'>,
): Promise<RefusalSubject | undefined> {
  for (const plugin of plugins) {
    try {
      const about = await plugin.onRefusal(input)
      if (about) return about
    } catch (error) {
      onHookError(plugin, 'onRefusal', error, aboutOf(input.exchange, plugin, input.candidate))
    }
  }
  return undefined
}

/**
 * Calls a hook of every plugin and reports errors. Returns `undefined` unless a critical plugin
 * returned a promise; then a promise that resolves when those have settled, or after `outcomeMs`.
 */
export function notify<P extends GatewayPlugin>(
  plugins: readonly P[],
  hook: string,
  input: Pick<ProducedInput, 'exchange' | 'candidate'>,
  call: (plugin: P) => MaybePromise<void>,
  { outcomeMs, onHookError }: HookOptions,
): Promise<void> | undefined {
  const failed = (plugin: P, error: unknown) =>
    onHookError(plugin, hook, error, aboutOf(input.exchange, plugin, input.candidate))
  let awaited: Promise<void>[] | undefined
  for (const plugin of plugins) {
    try {
      const done = call(plugin)
      if (!isThenable(done)) continue
      const settled = Promise.resolve(done).catch((error: unknown) => failed(plugin, error))
      if (plugin.critical) (awaited ??= []).push(settled)
    } catch (error) {
      failed(plugin, error)
    }
  }
  if (!awaited) return undefined
  return untilSettled(outcomeMs, awaited.length === 1 ? awaited[0]! : Promise.all(awaited))
}

/** Resolves when the work has settled, or after the given time. */
function untilSettled(milliseconds: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
