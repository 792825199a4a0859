import { type Plugin, isAsyncIterable } from 'graphql-yoga'

import type { AdminContext } from '../context.ts'

/**
 * Says in `extensions` what a result lacks: `unanswered` names the processes whose part is missing, and
 * `unrecorded` the acts whose results are not in the audit log.
 */
export const saysWhatLacks: Plugin = {
  onExecute: ({ args }) => ({
    onExecuteDone({ result, setResult }) {
      const { unanswered, unrecorded } = args.contextValue as unknown as AdminContext
      if (isAsyncIterable(result) || unanswered.size + unrecorded.length === 0) return
      const extensions = {
        ...result.extensions,
        ...(unanswered.size > 0 && { unanswered: [...unanswered] }),
        ...(unrecorded.length > 0 && { unrecorded }),
      }
      setResult({ ...result, extensions })
    },
  }),
}
