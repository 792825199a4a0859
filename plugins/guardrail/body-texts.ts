import { isObject } from '../../src/lib/json/object.ts'
import { type MaybeWork, type Work, isStepDue, isWork } from '../../src/lib/turns.ts'
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

type Visit = (text: string) => MaybeWork<void>

/** Calls `visit` with each text and each member's name of a body, apart from its settings and the bytes of media. */
export function* visitTexts(body: Readonly<Record<string, unknown>>, visit: Visit): Work<void> {
  for (const [name, value] of Object.entries(body)) {
    if (!settings.has(name)) yield* visitValue(name, value, visit)
  }
}

/** `name` is that of the member, or of the list that has the value. */
function* visitValue(name: string, value: unknown, visit: Visit): Work<void> {
  if (isStepDue(typeof value === 'string' ? value.length : 0)) yield
  if (typeof value === 'string') {
    if (!isMedia(name, value)) yield* visitText(value, visit)
    return
  }
  if (Array.isArray(value)) {
    for (const item of value) yield* visitValue(name, item, visit)
  } else if (isObject(value)) {
    for (const [inner, member] of Object.entries(value)) {
      yield* visitText(inner, visit)
      yield* visitValue(inner, member, visit)
    }
  }
}

function* visitText(text: string, visit: Visit): Work<void> {
  const work = visit(text)
  if (isWork(work)) yield* work
}
