import type { Setting } from './unsupported.ts'
import type { GenerateRequest } from './request.ts'

/** The members of a request that hold the client's field names. */
type Names = Pick<GenerateRequest, 'fields' | 'settings'>

/** The client's field of a setting. */
export function settingField({ settings }: Names, setting: Setting): string {
  return settings?.[setting] ?? setting
}

/** The client's field of the tool choice. */
export function choiceField(request: Names): string {
  return request.fields.tool_subset ?? settingField(request, 'tool_choice')
}

/** The client's field of the reasoning effort or budget. */
export function reasoningField(request: Names): string {
  const { reasoning_budget, reasoning_effort, reasoning_summary } = request.fields
  const named = reasoning_budget ?? reasoning_effort ?? reasoning_summary
  return named ?? settingField(request, 'reasoning')
}

/** The client's field of the output format. */
export function outputField({ fields }: Names): string {
  return fields.json_schema ?? fields.json_object ?? 'output'
}
