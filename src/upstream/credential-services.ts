import type { Dispatcher } from 'undici'

import type { Account, AccountConnection } from '../contract/account.ts'
import {
  CredentialFailure,
  type CredentialReply,
  type CredentialRequest,
  type CredentialServices,
} from '../contract/credential.ts'
import { compileForbiddenHosts } from '../lib/forbidden-hosts.ts'
import { computedOnce } from '../lib/computed-once.ts'
import type { Log } from '../lib/log.ts'
import { describeCallError } from './call-error.ts'

/** The longest time for an answer, in milliseconds. */
const longestMs = 10_000

/** A token has some thousand characters. */
const mostBytes = 64 * 1024

/** What the services depend on. */
interface ServicesInput {
  readonly log: Pick<Log, 'info' | 'warn'>
  /** The dispatcher of a connection. */
  readonly dispatcherOf: (connection: AccountConnection | undefined) => Dispatcher
}

/** Creates the services of the credentials of accounts: the same ones for each call of an account. */
export function createCredentialServices({ log, dispatcherOf }: ServicesInput) {
  return computedOnce(
    ({ id, connection }: Pick<Account, 'id' | 'connection'>): CredentialServices => ({
      account: id,
      log,
      async request(request) {
        const { forbidden } = connection ?? {}
        const { hostname } = new URL(request.url)
        if (forbidden && compileForbiddenHosts(forbidden).has(hostname))
          throw forbiddenHost(hostname)
        const direct = {
          id: forbidden ? `direct ${connection?.id}` : 'direct',
          proxy: false as const,
          ...(forbidden && { forbidden }),
        }
        return send(dispatcherOf(request.isLocal ? direct : connection), request)
      },
    }),
  )
}

function forbiddenHost(hostname: string): CredentialFailure {
  const message = `No token is asked for at ${hostname}, which admin.accounts.forbid of the configuration forbids.`
  return new CredentialFailure('refused', message, 'name the account in the file')
}

/** Sends one request, and reads its answer. It never follows a redirect, which a secret could go with. */
async function send(
  dispatcher: Dispatcher,
  { method, url, headers = {}, body }: CredentialRequest,
): Promise<CredentialReply> {
  const { origin, host, pathname, search } = new URL(url)
  try {
    const reply = await dispatcher.request({
      origin,
      path: pathname + search,
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
      signal: AbortSignal.timeout(longestMs),
    })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of reply.body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > mostBytes) throw new Error('The answer has more than 64 KiB.')
      chunks.push(chunk)
    }
    const named = Object.entries(reply.headers).map(([name, value]) => [name, String(value)])
    return {
      status: reply.statusCode,
      headers: Object.fromEntries(named) as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    }
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    const why = isLate ? 'It does not answer within ten seconds.' : describeCallError(cause)
    throw new CredentialFailure(
      'away',
      `${host} gives no token. ${why}`,
      'check the name service, the firewall and the proxies of this machine; the gateway tries it again by itself',
      { cause },
    )
  }
}
