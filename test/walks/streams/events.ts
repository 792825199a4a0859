import type { Form } from './forms.ts'

/** The JSON of each event, `[DONE]` as it is; comments left out. An independent, strict reader. */
export function eventsOf(form: Form, text: string): unknown[] {
  if (form.name === 'generate-array') return JSON.parse(text) as unknown[]
  const lines = text.replaceAll('\r\n', '\n')
  if (!lines.endsWith('\n\n')) throw new Error(`The last event has no blank line: ${text}`)
  return lines.split(/\n{2,}/).flatMap(readEvent)
}

function readEvent(block: string): unknown[] {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
  if (data.length === 0) return []
  const text = data.join('\n')
  return [text === '[DONE]' ? text : (JSON.parse(text) as unknown)]
}
