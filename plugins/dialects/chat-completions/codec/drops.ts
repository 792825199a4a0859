import type { ReplyContext } from '../../../../src/codec.ts'

/** Tells of what a reply shows or plays: no message of this dialect can hold it. */
export function dropMedia({ type }: { readonly type: string }, context: ReplyContext): void {
  if (type !== 'image' && type !== 'audio') return
  context.drop(
    `choices.message.${type}`,
    'a message of the Chat Completions API holds only text and calls',
  )
}

/** Tells of a call beside the one that a client of `functions` can read. */
export function dropCall(name: string, context: ReplyContext): void {
  context.drop('choices.message.function_call', `there is room for one call, not for ${name}`)
}
