import type { Setting } from './unsupported.ts'
import type { GenerateRequest } from './request.ts'

/** Of a request, what tells of the client's own names. */
type Names = Pick<GenerateRequest, 'fields' | 'settings'>

/** What the client calls a setting. */
export function settingField({ settings }: Names, setting: Setting): string {
  return settings?.[setting] ?? setting
}

/** What the client calls its choice among tools. */
export function choiceField(request: Names): string {
  return request.fields.tool_subset ?? settingField(request, 'tool_choice')
}

/** What the client calls how much the model is to think. */
export function reasoningField(request: Names): string {
  const { reasoning_budget, reasoning_effort, reasoning_summary } = request.fields
  const named = reasoning_budget ?? reasoning_effort ?? reasoning_summary
  return named ?? settingField(request, 'reasoning')
}

/** What the client calls the form of the answer. */
export function outputField({ fields }: Names): string {
  return fields.json_schema ?? fields.json_object ?? 'output'
}
