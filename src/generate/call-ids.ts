import type { GenerateResult } from './result.ts'
import { safeToolId } from './tool-ids.ts'

/** What the client calls the calls in a reply, in their order. */
export function callIdsIn(
  { choices }: GenerateResult,
  written: (callId: string) => string = safeToolId,
): string[] {
  return choices.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'tool_call' ? [written(part.id)] : [])),
  )
}
