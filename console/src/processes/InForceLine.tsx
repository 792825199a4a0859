import { useAnswer } from '../api/query.ts'
import { AnswerNotices, Notice } from '../ui/Notice.tsx'
import { inForceWords } from './in-force.ts'
import { InForce } from './operations.generated.ts'

const names = { gateway: 'in which processes it is in force' }

/** In how many of the processes is what the store says in force now? `isNotice`: it stands above a page. */
export function InForceLine({ isNotice = false }: { readonly isNotice?: boolean }) {
  const page = useAnswer(InForce, {}, { every: 10_000 })
  const words = page.isLoading ? 'The processes are asked.' : inForceWords(page.data).text
  return (
    <>
      <AnswerNotices page={page} names={names} />
      {isNotice ? <Notice>{words}</Notice> : <p className="secondary">{words}</p>}
    </>
  )
}
