import type { Fields } from './losses.ts'

/** What the client calls its choice among tools. */
export function choiceField({ tool_choice, tool_subset }: Fields): string {
  return tool_choice ?? tool_subset ?? 'tool_choice'
}

/** What the client calls how much the model is to think. */
export function reasoningField(fields: Fields): string {
  const { reasoning_budget, reasoning_effort, reasoning_summary, reasoning } = fields
  return reasoning_budget ?? reasoning_effort ?? reasoning_summary ?? reasoning ?? 'reasoning'
}

/** What the client calls the form of the answer. */
export function outputField({ json_schema, json_object }: Fields): string {
  return json_schema ?? json_object ?? 'output'
}
