import { type Plugin, isAsyncIterable } from 'graphql-yoga'

import type { AdminContext } from '../context.ts'

/**
 * Names the processes that did not answer in `extensions.unanswered`: their part is missing; and the fields
 * that show what was known last in `extensions.stale`.
 */
export const namesUnanswered: Plugin = {
  onExecute: ({ args }) => ({
    onExecuteDone({ result, setResult }) {
      const { unanswered, stale } = args.contextValue as unknown as AdminContext
      if (isAsyncIterable(result) || unanswered.size + stale.size === 0) return
      const extensions = {
        ...result.extensions,
        ...(unanswered.size > 0 && { unanswered: [...unanswered] }),
        ...(stale.size > 0 && { stale: [...stale] }),
      }
      setResult({ ...result, extensions })
    },
  }),
}
