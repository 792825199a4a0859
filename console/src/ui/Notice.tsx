import type { ReactNode } from 'react'

import type { Gap } from '../api/client.ts'
import type { ApiError } from '../api/errors.ts'
import type { PageAnswer } from '../api/query.ts'
import { clock } from '../format/time.ts'
import { Button } from './Button.tsx'
import './notice.css'
import { Shape } from './shapes.tsx'

/** Properties of `Notice`. */
export interface NoticeProps {
  readonly tone?: 'bad' | 'warn' | 'none'
  /** A button at the right. */
  readonly act?: ReactNode
  readonly children: ReactNode
}

/** A line above what it is about. */
export function Notice({ tone = 'none', act, children }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Shape name={tone === 'none' ? 'dash' : 'triangle'} />
      <div className="notice-words">{children}</div>
      {act}
    </div>
  )
}

/**
 * What the answer of a page lacks: the error of the last request (the answer of before stays), fields that could not
 * be answered, fields that lack a part, and that it is of a former choice, if the answer of this one takes long. Nothing,
 * if the answer is whole. `names` are the words for fields.
 */
export function AnswerNotices({
  page: { answer, error, answeredAt, isFormer, refresh },
  names = {},
}: {
  readonly page: Pick<
    PageAnswer<unknown>,
    'answer' | 'error' | 'answeredAt' | 'isFormer' | 'refresh'
  >
  readonly names?: Readonly<Record<string, string>>
}) {
  const linesOf = (gaps: readonly Gap[] = []) => [
    ...new Set(gaps.map(({ field, reason }) => `${names[field] ?? field}. ${reason}`)),
  ]
  const isForbidden = answer?.errors.every(({ code }) => code === 'FORBIDDEN')
  return (
    <>
      {error && (
        <Notice
          tone="bad"
          act={
            isOtherVersion(error) ? (
              <Button isSmall onClick={() => location.reload()}>
                Reload
              </Button>
            ) : (
              <Button isSmall onClick={refresh}>
                Try again
              </Button>
            )
          }
        >
          {error.message}
          {answer && ` What is shown is of ${clock(answeredAt)}.`}
        </Notice>
      )}
      {isFormer && (
        <div className="notice-late">
          <Notice>
            What is shown is of the choice before. The answer of this one is under way.
          </Notice>
        </div>
      )}
      {linesOf(answer?.errors).map((line) => (
        <Notice key={line} tone={isForbidden ? 'none' : 'warn'}>
          Not known: {line}
        </Notice>
      ))}
      {linesOf(answer?.gaps).map((line) => (
        <Notice key={line} tone="warn">
          Not complete: {line}
        </Notice>
      ))}
    </>
  )
}

/** Whether the gateway has another version than the page: it does not know the page's operations. */
function isOtherVersion({ code }: ApiError): boolean {
  return code === 'PERSISTED_QUERY_NOT_FOUND'
}

/** Whether the answer has all of a field: only then may a list say that it is empty. */
export function isWhole(
  { answer, error, isFormer }: Pick<PageAnswer<unknown>, 'answer' | 'error' | 'isFormer'>,
  field: string,
): boolean {
  if (!answer || error || isFormer) return false
  return ![...answer.errors, ...answer.gaps].some((one) => one.field === field)
}
