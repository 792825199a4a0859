import type { Plugin } from 'graphql-yoga'

import type { AdminContext } from '../context.ts'
import type { Refusal as Entry, RefusalLog } from '../refusals.ts'
import { networkOf } from './client.ts'
import type { Refusal } from './refusal.ts'
import type { AdminRequest } from './admin-request.ts'

/** Records the refused fields of an operation, and of each event of a subscription. */
export const recordsRefusals: Plugin<AdminContext> = {
  onSubscribe: ({ args }) => ({
    onSubscribeResult: () => ({ onNext: () => void noteRefusedFields(args.contextValue) }),
  }),
}

/** Records the refused fields of an operation, before it is answered. Never rejects. */
export async function noteRefusedFields({ refused, services }: AdminContext): Promise<void> {
  for (const refusal of refused.splice(0)) await services.refusals.note(refusal)
}

const noCredential = {
  action: 'token.use',
  target: { type: 'token', id: '' },
  message: 'The request has no valid admin token or session.',
}

/** Refusals of requests that have a record, and what they were about to do. */
const recorded: Partial<Record<string, Pick<Entry, 'action' | 'target' | 'message'>>> = {
  UNAUTHENTICATED: noCredential,
  // After too many wrong credentials of an address.
  TOO_MANY_REQUESTS: noCredential,
  FOREIGN_HOST: {
    action: 'site.enter',
    target: { type: 'host', id: '' },
    message: 'The request names a host that is not of the admin address.',
  },
  FOREIGN_ORIGIN: {
    action: 'site.enter',
    target: { type: 'origin', id: '' },
    message: 'The page of another site sent the request.',
  },
  CONSOLE_HEADER_REQUIRED: {
    action: 'session.use',
    target: { type: 'session', id: '' },
    message: 'The request has the cookie of a session, but not the header of the own pages.',
  },
}

/**
 * Records a request that is refused for lack of a valid credential, or for the site that it comes from.
 * Never rejects.
 */
export async function noteRefusedEntry(
  refusals: RefusalLog,
  incoming: AdminRequest,
  refusal: Refusal,
): Promise<void> {
  const { requestId, client, agent } = incoming
  const about = recorded[refusal.code]
  if (!about) return
  const from = { requestId, address: client.address, agent }
  await refusals.note({ kind: 'entry', ...from, ...about })
  if (refusal.code === 'TOO_MANY_REQUESTS') await noteLimit(refusals, incoming, refusal)
}

/** Records that all requests of an address have to wait. Never rejects. */
export async function noteLimit(
  refusals: RefusalLog,
  { requestId, client, agent }: AdminRequest,
  { message }: Pick<Refusal, 'message'>,
): Promise<void> {
  await refusals.note({
    kind: 'limit',
    requestId,
    address: client.address,
    agent,
    action: 'address.limit',
    target: { type: 'address', id: networkOf(client.address) },
    message,
  })
}
