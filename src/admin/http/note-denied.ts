import type { Plugin } from 'graphql-yoga'

import type { AdminContext } from '../context.ts'
import type { DeniedAct, DeniedActLog } from '../denied-acts.ts'
import { networkOf } from '../../exchange/client.ts'
import type { HttpError } from './http-error.ts'
import type { AdminRequest } from './admin-request.ts'

/** Records the denied fields of an operation, and of each event of a subscription. */
export const recordsDeniedFields: Plugin<AdminContext> = {
  onSubscribe: ({ args }) => ({
    onSubscribeResult: () => ({ onNext: () => void noteDeniedFields(args.contextValue) }),
  }),
}

/** Records the denied fields of an operation, before it is answered. Never rejects. */
export async function noteDeniedFields({ deniedFields, services }: AdminContext): Promise<void> {
  for (const act of deniedFields.splice(0)) await services.deniedActs.note(act)
}

const noCredential = {
  action: 'token.use',
  target: { type: 'token', id: '' },
  message: 'The request has no valid admin token or session.',
}

/** The audit records of denied requests, by the code of the error. */
const recorded: Partial<Record<string, Pick<DeniedAct, 'action' | 'target' | 'message'>>> = {
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
 * Records a request that is denied for lack of a valid credential, or for the site that it comes from.
 * Never rejects.
 */
export async function noteDeniedRequest(
  deniedActs: DeniedActLog,
  incoming: AdminRequest,
  httpError: HttpError,
): Promise<void> {
  const { requestId, client, agent } = incoming
  const about = recorded[httpError.code]
  if (!about) return
  const from = { requestId, address: client.address, agent }
  await deniedActs.note({ kind: 'entry', ...from, ...about })
  if (httpError.code === 'TOO_MANY_REQUESTS') await noteLimit(deniedActs, incoming, httpError)
}

/** Records that all requests of an address have to wait. Never rejects. */
export async function noteLimit(
  deniedActs: DeniedActLog,
  { requestId, client, agent }: AdminRequest,
  { message }: Pick<HttpError, 'message'>,
): Promise<void> {
  await deniedActs.note({
    kind: 'limit',
    requestId,
    address: client.address,
    agent,
    action: 'address.limit',
    target: { type: 'address', id: networkOf(client.address) },
    message,
  })
}
