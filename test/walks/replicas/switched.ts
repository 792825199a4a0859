import { APIError } from 'openai-7'

import { openStore } from '../../../src/stores/open.ts'
import type { Store } from '../../../src/stores/store.ts'
import { type Replicas } from './replicas.ts'

export type Client = Replicas['clients'][number]

export const model = 'sandbox/words=2'

/** How soon a change is to be known everywhere, in milliseconds. */
export const soon = 2_000

/** What somebody beside the replicas holds of their Redis. */
export async function hold(url: string): Promise<Store & AsyncDisposable> {
  const store = await openStore(url, { cwd: '.' })
  return { ...store, [Symbol.asyncDispose]: () => store.close() }
}

/** A response that this account made; both accounts are as likely. */
export async function madeBy(account: string, client: Client): Promise<string> {
  for (;;) {
    const made = await client.responses.create({ model, input: 'hi' }).withResponse()
    if (made.response.headers.get('x-dragoman-account') === account) return made.data.id
  }
}

/** The accounts that a dozen fresh calls go to. */
export async function accountsAsked(client: Client): Promise<(string | null)[]> {
  const calls = Array.from({ length: 12 }, () =>
    client.responses.create({ model, input: 'hi' }).asResponse(),
  )
  const accounts = (await Promise.all(calls)).map(({ headers }) =>
    headers.get('x-dragoman-account'),
  )
  return [...new Set(accounts)]
}

/** How it goes to continue a response. */
export async function continued(client: Client, id: string): Promise<string | undefined> {
  try {
    const next = { model, input: 'on', previous_response_id: id }
    return (await client.responses.create(next)).status
  } catch (error) {
    if (!(error instanceof APIError)) throw error
    return `${error.status} ${error.code}, retry: ${error.headers?.get('x-should-retry')}`
  }
}
