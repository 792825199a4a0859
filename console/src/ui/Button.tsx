import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'

import './button.css'
import { classes } from './classes.ts'
import { say } from './toasts.ts'

/** Properties of `Button`. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `main`: the one act of a page or dialog. `danger`: it takes something away. `confirm`: it does so at once. */
  readonly kind?: 'plain' | 'main' | 'danger' | 'confirm' | 'quiet'
  /** In rows. */
  readonly isSmall?: boolean
  /** Why it cannot be used, in words: it is then disabled, and says so. */
  readonly whyNot?: string | undefined
  readonly ref?: Ref<HTMLButtonElement>
  readonly children: ReactNode
}

/** A button that names its act. */
export function Button({ kind = 'plain', isSmall, whyNot, className, ...rest }: ButtonProps) {
  const isOff = whyNot !== undefined
  return (
    <button
      type="button"
      {...rest}
      {...(isOff && {
        'aria-disabled': true,
        title: whyNot,
        'aria-description': whyNot,
        // A finger has no pointer that could rest on it.
        onClick: (event) => (event.preventDefault(), say({ text: whyNot })),
      })}
      className={classes('button', `button-${kind}`, isSmall && 'button-small', className)}
    />
  )
}
