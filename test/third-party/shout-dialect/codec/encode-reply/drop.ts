import type { AssistantPart, ReplyContext } from '../../../../../src/dialect-kit/index.ts'

/** Records a part of a reply that has no form in words. */
export function dropPart(type: AssistantPart['type'], { drop }: ReplyContext): void {
  if (type === 'image' || type === 'audio') drop(`echo.${type}`, 'words show and play nothing')
  if (type === 'reasoning') drop('echo.reasoning', 'words hold no thoughts')
}

export function dropCitations({ drop }: ReplyContext): void {
  drop('echo.citations', 'words name no sources')
}
