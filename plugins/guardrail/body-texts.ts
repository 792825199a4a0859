import { isObject } from '../../src/lib/json/object.ts'
import { isMedia } from './media.ts'

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

type Visit = (text: string) => void

/** Calls `visit` with each text and each member's name of a body, apart from its settings and the bytes of media. */
export function visitTexts(body: Readonly<Record<string, unknown>>, visit: Visit): void {
  for (const [name, value] of Object.entries(body)) {
    if (!settings.has(name)) visitValue(name, value, visit)
  }
}

/** `name` is the name of the member with the value, or with the list that contains the value. */
function visitValue(name: string, value: unknown, visit: Visit): void {
  if (typeof value === 'string') {
    if (!isMedia(name, value)) visit(value)
    return
  }
  if (Array.isArray(value)) {
    for (const item of value) visitValue(name, item, visit)
  } else if (isObject(value)) {
    for (const [inner, member] of Object.entries(value)) {
      visit(inner)
      visitValue(inner, member, visit)
    }
  }
}
