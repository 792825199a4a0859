import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { resolveStrict } from '../../../shared/openai-schema.ts'
import type { GenerateRequest, OutputFormat } from '../../../../../src/generate/request.ts'
import { schemaName } from '../../../../../src/generate/names.ts'

/** Encodes `response_format`; returns `undefined` for plain text. */
export function encodeFormat(request: GenerateRequest, drop: RecordLoss): JsonObject | undefined {
  const { output } = request
  if (!output || output.kind === 'text') return undefined
  if (output.kind === 'json') return { type: 'json_object' }
  const { schema, name, description } = output
  return {
    type: 'json_schema',
    json_schema: {
      name: schemaName(name),
      ...(description !== undefined && { description }),
      schema,
      strict: resolveStrict(output, request, drop),
    },
  }
}

/** Prepends a message with the word JSON where none has it: accounts require it for `json_object`. */
export function withJsonWord(
  messages: JsonObject[],
  output: OutputFormat | undefined,
  role: 'developer' | 'system',
): void {
  if (output?.kind !== 'json' || messages.some(mentionsJson)) return
  messages.unshift({ role, content: 'Answer with a JSON object.' })
}

function mentionsJson({ content }: JsonObject): boolean {
  return /json/i.test(typeof content === 'string' ? content : textsIn(content))
}

function textsIn(content: unknown): string {
  const parts = Array.isArray(content) ? (content as JsonObject[]) : []
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join(' ')
}
