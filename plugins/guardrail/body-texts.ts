import { isBase64 } from '../../src/lib/is-base64.ts'
import { isObject } from '../../src/lib/json/object.ts'
import type { Steps } from '../../src/lib/steps.ts'

/** Members of a body that say which model answers, with which tools, and in which form. */
const settings: ReadonlySet<string> = new Set([
  'model',
  'tools',
  'functions',
  'tool_choice',
  'toolConfig',
  'tool_config',
  'response_format',
  'text',
  'output_config',
  'output_format',
  'generationConfig',
  'generation_config',
])

/** Calls `visit` with each text and each member's name of a body, apart from its settings and the bytes of media. */
export function* visitTexts(
  body: Readonly<Record<string, unknown>>,
  visit: (text: string) => void,
): Steps<void> {
  for (const [name, value] of Object.entries(body)) {
    if (!settings.has(name)) yield* visitValue(value, visit)
  }
}

function* visitValue(value: unknown, visit: (text: string) => void): Steps<void> {
  if (typeof value === 'string') {
    if (!isBase64(value)) visit(value)
    return
  }
  yield
  if (Array.isArray(value)) {
    for (const item of value) yield* visitValue(item, visit)
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      visit(name)
      yield* visitValue(member, visit)
    }
  }
}
