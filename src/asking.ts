import type { Asking } from './dialect.ts'
import { GatewayError } from './errors.ts'
import type { Outcome, Reply, Routed, Understood } from './exchange.ts'
import { rangeHeaders } from './headers.ts'
import type { VideoCall } from './media/video.ts'
import type { RemoteClient } from './remote/index.ts'
import { enterRouted } from './stages.ts'
import { attemptOnce } from './upstream/attempt-once.ts'
import { createCallOutbound } from './upstream/call-outbound.ts'
import { ContentRelay } from './upstream/content-relay.ts'
import type { Environment, Timeouts } from './upstream/environment.ts'
import { JsonAttempt } from './upstream/json-attempt.ts'
import { elsewhere, type Place, redirected } from './upstream/redirected.ts'

/** How long an account has to tell how a job of its stands, in milliseconds. */
const tellMs = { firstByteMs: 10_000, idleMs: 10_000, totalMs: 60_000 }

/** Whatever happens, it is no evidence of how the account does its work. */
export function askWith(exchange: Understood, environment: Environment): Asking {
  const { timeouts } = environment
  const hurried = { ...environment, timeouts: { ...timeouts, ...atMost(timeouts, tellMs) } }
  return {
    async ask(candidate, call) {
      const { candidate: before, attempt: number } = exchange as Partial<Routed>
      const routed = enterRouted(exchange, candidate, number ?? 1)
      let json: unknown
      const read = (answer: unknown) => {
        json = answer
        return { outcome: completed }
      }
      const outbound = createCallOutbound(routed, call)
      try {
        const { headers } = await attemptOnce(
          routed,
          outbound,
          blameless(environment),
          (settle) => {
            return new JsonAttempt(routed, read, hurried, settle)
          },
        )
        return { json, headers }
      } finally {
        // Asked on the way to an attempt, which goes on as it was.
        if (before) enterRouted(exchange, before, number ?? 1)
      }
    },
    relay: (candidate, place) => relay(enterRouted(exchange, candidate, 1), place, environment),
  }
}

/** How often an account may lead on from one place to the next. */
const mostRedirects = 5

/** Follows an account to where it has a file; another host is shown nothing of the account's. */
async function relay(
  exchange: Routed,
  wanted: VideoCall | URL,
  environment: Environment,
): Promise<Reply> {
  const { remote } = environment.translation
  const own = blameless(environment)
  const foreign = { ...environment, client: { ...environment.client, send: remote.send } }
  const range = {
    accept: '*/*',
    'accept-encoding': 'identity',
    ...rangeHeaders(exchange.request.headers),
  }
  let place = placeOf(exchange, wanted, range, remote)
  for (let hops = 0; ; hops++) {
    const { outbound, isElsewhere } = place
    const hooks = isElsewhere ? { ...own.hooks, attempt: undefined } : own.hooks
    try {
      return await attemptOnce(exchange, outbound, { hooks }, (settle) => {
        return new ContentRelay(exchange, isElsewhere ? foreign : environment, settle)
      })
    } catch (error) {
      const next = hops < mostRedirects ? redirected(error, place, remote) : undefined
      if (!next) throw error
      place = next
    }
  }
}

function placeOf(
  exchange: Routed,
  wanted: VideoCall | URL,
  range: Record<string, string>,
  remote: RemoteClient,
): Place {
  if (!(wanted instanceof URL)) {
    const outbound = createCallOutbound(exchange, wanted)
    return {
      outbound: { ...outbound, headers: { ...outbound.headers, ...range } },
      isElsewhere: false,
    }
  }
  const place = elsewhere(wanted, range, remote)
  if (place) return place
  const message = 'The account keeps this file where the gateway does not fetch it.'
  throw new GatewayError('upstream_invalid_reply', message)
}

function atMost<T extends Partial<Timeouts>>(timeouts: Timeouts, most: T): T {
  const entries = Object.entries(most) as [keyof Timeouts, number][]
  return Object.fromEntries(entries.map(([name, ms]) => [name, Math.min(timeouts[name], ms)])) as T
}

/** The same gateway, in which what an account fails at is not held against it. */
function blameless(environment: Environment): Environment {
  const { hooks } = environment
  const outcome: typeof hooks.outcome =
    hooks.outcome &&
    ((input) => {
      const { fault } = input.outcome
      const told = { ...input.outcome, fault: fault === 'account' ? 'none' : fault } as const
      return hooks.outcome?.({ ...input, outcome: told })
    })
  return { ...environment, hooks: { ...hooks, outcome } }
}

const completed: Outcome = { status: 'completed', fault: 'none' }
