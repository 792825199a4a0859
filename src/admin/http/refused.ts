import type { Plugin } from 'graphql-yoga'

import type { AdminContext } from '../context.ts'
import type { RefusalLog } from '../refusals.ts'
import type { Visit } from './visit.ts'

/** Records refused fields of an operation: they are in the audit log before the answer. */
export const recordsRefusals: Plugin<AdminContext> = {
  onSubscribe: ({ args }) => ({
    onSubscribeResult: () => void noteRefusals(args.contextValue),
  }),
  onExecute: ({ args }) => ({
    onExecuteDone: () => noteRefusals(args.contextValue),
  }),
}

async function noteRefusals({ refused, services }: AdminContext): Promise<void> {
  for (const refusal of refused.splice(0)) await services.refusals.note(refusal)
}

/** Records a request that is refused for lack of a valid credential. Never rejects. */
export async function noteRefusedEntry(
  refusals: RefusalLog,
  { requestId, client, agent }: Visit,
): Promise<void> {
  await refusals.note({
    kind: 'entry',
    requestId,
    address: client.address,
    agent,
    action: 'token.use',
    target: { type: 'token', id: '' },
    message: 'The request has no valid admin token or session.',
  })
}
