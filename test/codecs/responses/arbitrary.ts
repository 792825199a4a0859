import {
  array,
  constant,
  constantFrom,
  oneof,
  option,
  record,
  string,
  stringMatching,
} from 'fast-check'

import type { AssistantPart, Signature } from '../../../src/generate/content.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { usage } from './replies.ts'

const signature = record({
  dialect: constantFrom('messages', 'generate-content'),
  value: stringMatching(/^[A-Za-z0-9+/]{4,12}$/),
})

const said = string({ minLength: 1 })

const reasoning = record({
  form: constantFrom('raw' as const, 'summary' as const),
  text: said,
  signature: option(signature, { nil: undefined }),
}).map(({ form, text, signature: signed }) =>
  withSignature({ type: 'reasoning', form, text }, signed),
)

const redacted = signature.map((signed): AssistantPart => ({
  type: 'reasoning',
  form: 'redacted',
  text: '',
  signature: signed,
}))

const call = record({
  name: stringMatching(/^[a-z_]{1,20}$/),
  kind: constantFrom('function' as const, 'custom' as const),
  arguments: said,
}).map((told): AssistantPart => ({ type: 'tool_call', id: '', ...told }))

const part = oneof(
  said.map((text): AssistantPart => ({ type: 'text', text })),
  said.map((text): AssistantPart => ({ type: 'refusal', text })),
  reasoning,
  redacted,
  call,
)

const stop = constantFrom('stop' as const, 'length' as const, 'filtered' as const)

/** Any reply, its calls with ids of their own, its end as its content demands. */
export const anyReply = record({
  content: array(part, { maxLength: 6 }),
  stop,
  model: constant('m'),
}).map(({ content, stop: asked, model }): GenerateResult => {
  const named = content.map((told, index) =>
    told.type === 'tool_call' ? { ...told, id: `call_${index}` } : told,
  )
  const has = (type: string) => named.some((told) => told.type === type)
  const whole = has('refusal') ? 'refused' : has('tool_call') ? 'tool_calls' : 'stop'
  const reason = asked === 'stop' ? whole : asked
  return { model, choices: [{ content: named, stop: { reason } }], usage }
})

function withSignature(told: AssistantPart, signed: Signature | undefined): AssistantPart {
  return signed && told.type === 'reasoning' ? { ...told, signature: signed } : told
}
