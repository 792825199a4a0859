import { exceedsContext as saysSo } from '../../../../src/codecs/context-length.ts'
import { tooLarge } from './failure.ts'

/**
 * Whether an account's answer says that the input is beyond the model's context. It has its own
 * status for a request that is too large to be counted.
 */
export function exceedsContext(answer: { status: number; json: unknown }): boolean {
  return answer.status === tooLarge || saysSo(answer)
}
