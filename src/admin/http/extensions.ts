import { type Plugin, isAsyncIterable } from 'graphql-yoga'

import type { AdminContext } from '../context.ts'

/** Names the processes that did not answer in `extensions.unanswered`: their part is missing. */
export const namesUnanswered: Plugin = {
  onExecute: ({ args }) => ({
    onExecuteDone({ result, setResult }) {
      const { unanswered } = args.contextValue as unknown as AdminContext
      if (isAsyncIterable(result) || unanswered.size === 0) return
      setResult({ ...result, extensions: { ...result.extensions, unanswered: [...unanswered] } })
    },
  }),
}
