import type { Understood } from '../contract/exchange.ts'
import type { ForwardOperation, PerformOperation } from '../contract/operation.ts'
import { enterCall } from '../exchange/record.ts'
import { understand } from '../body/understand.ts'
import type { RewriteBody } from './index.ts'

/** The call with the body that plugins return, which is checked like a client's body. */
export async function changeCall(
  understood: Understood,
  operation: ForwardOperation | PerformOperation,
  rewrite: RewriteBody,
): Promise<Understood> {
  const rewritten = await rewrite(understood, operation)
  if (!rewritten) return understood
  const { body, losses, failed } = rewritten
  understood.progress.capture?.readBody(body.bytes)
  try {
    const changed = await understand(understood, operation, body)
    const { call } = changed
    enterCall(changed, { ...call, losses: [...call.losses, ...losses] })
    return changed
  } catch (error) {
    throw failed(error)
  }
}
