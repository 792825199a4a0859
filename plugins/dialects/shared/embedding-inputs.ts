import type { RecordLoss } from '../../../src/contract/codec.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import { refused } from '../../../src/kit/codec/read.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { isObject } from '../../../src/lib/json/object.ts'
import type { EmbeddingInput, EmbeddingRequest, Vector } from '../../../src/media/embedding.ts'

/** The text of an input for accounts that embed texts alone. Throws `GatewayError` for another input. */
export function textOfInput({ text }: EmbeddingInput, { names }: EmbeddingRequest): string {
  if (text !== undefined) return text
  throw refused(`\`${names.inputs}\`: the account embeds texts only.`, names.inputs)
}

/** The settings of a request and of its inputs that not all accounts have. */
const settings = ['dimensions', 'task', 'title', 'truncates'] as const

/** Reports the settings of a request that accounts of a dialect do not have. */
export function dropOthers(
  request: EmbeddingRequest,
  supported: ReadonlySet<(typeof settings)[number]>,
  drop: RecordLoss,
): void {
  const { names, inputs } = request
  for (const setting of settings) {
    if (supported.has(setting)) continue
    const isSet =
      setting === 'dimensions' || setting === 'truncates'
        ? request[setting] !== undefined
        : inputs.some((input) => input[setting] !== undefined)
    if (isSet) drop(names[setting] ?? setting, 'the account does not support it')
  }
}

/** Throws `GatewayError` unless there is a vector for each input. */
export function assertWhole(vectors: readonly (Vector | undefined)[], inputs: number): Vector[] {
  const whole = vectors.filter((vector) => vector !== undefined)
  if (whole.length === inputs && vectors.length === inputs) return whole
  throw notWhole(inputs)
}

/** Throws `GatewayError` unless a list of a reply has so many objects. */
export function assertWholeList(list: unknown, inputs: number): void {
  const isWhole = Array.isArray(list) && list.length === inputs && list.every(isObject)
  if (!isWhole) throw notWhole(inputs)
}

/** The error for a reply in which an input has no embedding, or several. */
export function notWhole(inputs: number): GatewayError {
  const message = `The upstream's reply has not one embedding for each of ${inputs} inputs.`
  return new GatewayError('upstream_invalid_reply', message)
}

/** The use of a call whose prompt has so many tokens: embeddings write none. `undefined`: the account reports none. */
export function embeddingUsage(inputTokens: number | undefined): Usage | undefined {
  return inputTokens === undefined ? undefined : { inputTokens, outputTokens: 0 }
}
