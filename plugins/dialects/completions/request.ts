import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import {
  checkBoolean,
  checkInteger,
  checkNumber,
  checkObject,
  checkStop,
  checkString,
  requireString,
  wrong,
} from '../../../src/kit/checks.ts'
import { nativeField } from './decode-request.ts'

/** Checks a request and returns its call. Throws `GatewayError` with `param`. */
export function understandCompletion({ json, members }: RequestBody): Call {
  const model = requireString(json, 'model')
  checkPrompt(json.prompt)
  checkInteger(json, 'max_tokens', 0)
  checkInteger(json, 'n', 1, 128)
  checkInteger(json, 'best_of', 0, 20)
  checkInteger(json, 'logprobs', 0)
  checkInteger(json, 'seed', Number.MIN_SAFE_INTEGER)
  checkNumber(json, 'temperature', 0, 2)
  checkNumber(json, 'top_p', 0, 1)
  for (const name of ['presence_penalty', 'frequency_penalty']) checkNumber(json, name, -2, 2)
  for (const name of ['echo', 'stream']) checkBoolean(json, name)
  for (const name of ['suffix', 'user']) checkString(json, name)
  for (const name of ['logit_bias', 'stream_options']) checkObject(json, name)
  checkStop(json, 'stop', 4)
  const field = nativeField(json)
  return {
    model,
    modelAt: members.get('model'),
    stream: json.stream === true,
    refersTo: [],
    edits: [],
    losses: [],
    ...(field !== undefined && {
      nativeOnly: { field, reason: 'only the Completions API has it' },
    }),
  }
}

/** Checks the prompt: a text, a list of texts, tokens, or lists of tokens. Without a prompt, the model starts a new document. */
function checkPrompt(prompt: unknown): void {
  if (prompt === undefined || prompt === null || typeof prompt === 'string') return
  if (!Array.isArray(prompt) || prompt.length === 0)
    throw wrong('prompt', 'a string or an array with at least 1 item')
  const kind = kindOf(prompt[0])
  const isWhole = kind !== undefined && prompt.every((one) => kindOf(one) === kind)
  if (!isWhole)
    throw wrong('prompt', 'a string, or an array of strings, tokens or arrays of tokens')
}

function kindOf(one: unknown): 'text' | 'token' | 'tokens' | undefined {
  if (typeof one === 'string') return 'text'
  if (Number.isSafeInteger(one)) return 'token'
  return Array.isArray(one) && one.every((item) => Number.isSafeInteger(item))
    ? 'tokens'
    : undefined
}
