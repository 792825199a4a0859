import { type Plugin, isAsyncIterable } from 'graphql-yoga'

import type { AdminContext } from '../context.ts'

/**
 * Says in `extensions` what a result lacks: `unanswered` names the processes whose part is missing, `stale`
 * the fields that show what was known last, and `unrecorded` the acts whose results are not in the audit log.
 */
export const saysWhatLacks: Plugin = {
  onExecute: ({ args }) => ({
    onExecuteDone({ result, setResult }) {
      const { unanswered, stale, unrecorded } = args.contextValue as unknown as AdminContext
      if (isAsyncIterable(result) || unanswered.size + stale.size + unrecorded.length === 0) return
      const extensions = {
        ...result.extensions,
        ...(unanswered.size > 0 && { unanswered: [...unanswered] }),
        ...(stale.size > 0 && { stale: [...stale] }),
        ...(unrecorded.length > 0 && { unrecorded }),
      }
      setResult({ ...result, extensions })
    },
  }),
}
