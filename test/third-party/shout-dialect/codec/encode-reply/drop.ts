import type { AssistantPart, ReplyContext } from '../../../../../src/dialect-kit/index.ts'

/** Records a part of a reply that has no form in words. Thoughts are nothing that a client asks for. */
export function dropMedium(type: AssistantPart['type'], { drop }: ReplyContext): void {
  if (type === 'image' || type === 'audio') drop(`echo.${type}`, 'words show and play nothing')
}

export function dropCitations({ drop }: ReplyContext): void {
  drop('echo.citations', 'words name no sources')
}
