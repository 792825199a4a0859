import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'

import './field.css'

/** Properties of `Field`. */
export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  readonly label: ReactNode
  /** What to type, below the field. */
  readonly hint?: ReactNode
  /** Why the value is not taken. */
  readonly problem?: string | undefined
  readonly isMono?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** A labelled field of one line. */
export function Field({ label, hint, problem, isMono, className, ...rest }: FieldProps) {
  const id = useId()
  return (
    <div className={`field ${className ?? ''}`}>
      <label htmlFor={id}>{label}</label>
      <input
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={id}
        className={isMono ? 'input mono' : 'input'}
        aria-invalid={problem !== undefined}
        aria-describedby={hintOf(id, hint, problem)}
      />
      <FieldHint id={`${id}-hint`} hint={hint} problem={problem} />
    </div>
  )
}

/** The id of the line below a field, which describes it; undefined: there is no such line. */
export function hintOf(
  id: string,
  hint: ReactNode | undefined,
  problem: string | undefined,
): string | undefined {
  return problem === undefined && hint === undefined ? undefined : `${id}-hint`
}

/** The line below a field. */
export function FieldHint({
  id,
  hint,
  problem,
}: Pick<FieldProps, 'hint' | 'problem'> & { id: string }) {
  if (problem === undefined && hint === undefined) return null
  return (
    <p id={id} className={problem === undefined ? 'secondary' : 'field-problem'}>
      {problem ?? hint}
    </p>
  )
}
