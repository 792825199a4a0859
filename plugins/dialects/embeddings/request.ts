import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import {
  checkArray,
  checkInteger,
  checkString,
  checkWord,
  requireField,
  requireString,
  wrong,
} from '../../../src/kit/checks.ts'

/** The most inputs of a request (docs/wire/openai.md 6). */
const mostInputs = 2_048

/** A call, and for how many inputs it asks. */
export interface EmbeddingCall extends Call {
  readonly inputs: number
}

/** Checks a request and returns its call. Throws `GatewayError` with `param`. */
export function understandEmbeddings({ json, members }: RequestBody): EmbeddingCall {
  const model = requireString(json, 'model')
  requireField(json, 'input')
  checkInput(json)
  checkInteger(json, 'dimensions', 1)
  checkWord(json, 'encoding_format', ['float', 'base64'])
  checkString(json, 'user')
  const modelAt = members.get('model')
  const { input } = json
  const inputs = Array.isArray(input) && !isTokens(input) ? input.length : 1
  return { model, modelAt, stream: false, refersTo: [], edits: [], losses: [], inputs }
}

function checkInput(json: RequestBody['json']): void {
  const { input } = json
  if (typeof input === 'string') return assertText(input, 'input')
  if (!Array.isArray(input)) throw wrong('input', 'a string or an array')
  if (isTokens(input)) return
  checkArray(json, 'input', 1, mostInputs)
  const areTexts = typeof input[0] === 'string'
  for (const [index, one] of (input as unknown[]).entries()) {
    const param = `input[${index}]`
    if (areTexts && typeof one === 'string') assertText(one, param)
    else if (areTexts || !Array.isArray(one) || !isTokens(one))
      throw wrong(
        param,
        areTexts ? 'a string, as the first input is' : 'a string or an array of tokens',
      )
  }
}

function assertText(text: string, param: string): void {
  if (text !== '') return
  throw new GatewayError('invalid_value', `\`${param}\` must not be empty.`, { param })
}

/** Whether a list has tokens, which are whole numbers from 0. */
function isTokens(list: readonly unknown[]): boolean {
  return list.length > 0 && list.every((one) => Number.isSafeInteger(one) && (one as number) >= 0)
}
