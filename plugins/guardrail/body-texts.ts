import { kindOfText, runsOf } from '../../src/generate/text-runs.ts'
import { isObject, type JsonObject } from '../../src/lib/json/object.ts'
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
  if (Array.isArray(value)) return visitList(name, value, visit)
  if (isObject(value)) visitMembers(value, visit)
}

/** The texts of neighbours that are alike are one text: models read the parts of a message so. */
function visitList(name: string, list: readonly unknown[], visit: Visit): void {
  for (const [from, to] of runsOf(list, kindOfText)) {
    if (to - from < 2) visitValue(name, list[from], visit)
    else {
      const parts = list.slice(from, to) as { readonly text: string }[]
      visit(parts.map(({ text }) => text).join(''))
      for (const { text: _text, ...others } of parts) visitMembers(others, visit)
    }
  }
}

function visitMembers(value: JsonObject, visit: Visit): void {
  for (const [name, member] of Object.entries(value)) {
    visit(name)
    visitValue(name, member, visit)
  }
}
