import { useAnswer } from '../api/query.ts'
import { AnswerNotices } from '../ui/Notice.tsx'
import { inForceWords } from './in-force.ts'
import { InForce } from './operations.generated.ts'

const names = { gateway: 'in which processes it is in force' }

/** In how many of the processes is what the store says in force now? */
export function InForceLine() {
  const page = useAnswer(InForce, {}, { every: 10_000 })
  return (
    <>
      <AnswerNotices page={page} names={names} />
      <p className="secondary">
        {page.isLoading ? 'The processes are asked.' : inForceWords(page.data).text}
      </p>
    </>
  )
}
