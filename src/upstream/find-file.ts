import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { AccountCall } from '../media/account-call.ts'
import type { AttemptHandler } from './attempt-handler.ts'
import type { AttemptContext } from './settle.ts'
import { attemptOnce } from './attempt-once.ts'
import { createAccountRequest } from './account-request.ts'
import type { AttemptEnvironment } from './environment.ts'
import { type FileLocation, foreignLocation, redirectOf } from './redirects.ts'

/** How often an account may lead on from one place to the next. */
const mostRedirects = 5

export interface FileRequest {
  /** An account's own call, or where the account says that the file is. */
  readonly place: AccountCall | URL
  /** What is asked of the file itself, wherever it is: a range. */
  readonly headers: Readonly<Record<string, string>>
  readonly environment: AttemptEnvironment
  handlerOf(context: AttemptContext, environment: AttemptEnvironment): AttemptHandler
}

/** Follows an account to where it has a file; another host is shown nothing of the account's. */
export async function findFile(exchange: Routed, request: FileRequest): Promise<Reply> {
  const { environment, handlerOf } = request
  const { hooks, client, translation } = environment
  const { remote } = translation
  const foreign = { ...environment, client: { ...client, send: remote.send } }
  let place = firstPlace(exchange, request)
  for (let hops = 0; ; hops++) {
    const { outbound, isElsewhere } = place
    const around = isElsewhere ? { ...hooks, attempt: undefined } : hooks
    try {
      return await attemptOnce(exchange, outbound, around, (context) =>
        handlerOf(context, isElsewhere ? foreign : environment),
      )
    } catch (error) {
      const next = hops < mostRedirects ? redirectOf(error, place, remote) : undefined
      if (!next) throw error
      place = next
    }
  }
}

function firstPlace(exchange: Routed, { place, headers, environment }: FileRequest): FileLocation {
  const { origin } = exchange.candidate.account
  const asked = { accept: '*/*', 'accept-encoding': 'identity', ...headers }
  if (!(place instanceof URL)) return own(exchange, place, asked)
  // As where the account redirects to a place of its own.
  if (place.origin === origin) {
    const { outbound } = own(exchange, { method: 'GET', path: '/' }, asked)
    return { outbound: { ...outbound, path: place.pathname + place.search }, isElsewhere: false }
  }
  const found = foreignLocation(place, asked, environment.translation.remote)
  if (found) return found
  const message = 'The account keeps this file where the gateway does not fetch it.'
  throw new GatewayError('upstream_invalid_reply', message)
}

function own(exchange: Routed, call: AccountCall, headers: FileRequest['headers']): FileLocation {
  const outbound = createAccountRequest(exchange, call)
  return {
    outbound: { ...outbound, headers: { ...outbound.headers, ...headers } },
    isElsewhere: false,
  }
}
