import type { EncodedResult, ReplyContext } from '../../../../../src/contract/codec.ts'
import { callIdsIn } from '../../../../../src/generate/call-ids.ts'
import type { GenerateResult } from '../../../../../src/generate/result.ts'
import { encodeChoice } from './encode-message.ts'
import { tierOf, writeUsage } from '../usage.ts'

/** Encodes a complete reply for a client. */
export function encodeResult(result: GenerateResult, context: ReplyContext): EncodedResult {
  const id = context.newId('chatcmpl-')
  const usage = writeUsage(result.usage)
  const tier = result.serviceTier && tierOf(result.serviceTier)
  return {
    id,
    items: callIdsIn(result),
    body: {
      id,
      object: 'chat.completion',
      created: Math.floor(context.now / 1000),
      model: context.model,
      ...(tier && { service_tier: tier }),
      choices: result.choices.map((choice, index) => encodeChoice(choice, index, context)),
      ...(usage && { usage }),
    },
  }
}
