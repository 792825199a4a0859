import { Link } from '@tanstack/react-router'

/** Properties of the links to what has a name. */
export interface NameLinkProps {
  readonly id: string
  /** Whether it is the head of a row: the row itself shows that it leads on. */
  readonly isHead?: boolean
}

/** An account, which leads to its page; of one that is deleted the id alone is left. */
export function AccountLink({
  id,
  isHead,
  isGone = false,
}: NameLinkProps & { readonly isGone?: boolean }) {
  if (isGone)
    return (
      <span>
        <span className="mono wrap-anywhere">{id}</span> <span className="muted">not there</span>
      </span>
    )
  return (
    <Link to="/accounts/$id" params={{ id }} className={look(isHead)}>
      {id}
    </Link>
  )
}

/** An API key, which leads to its page. */
export function KeyLink({ id, isHead }: NameLinkProps) {
  return (
    <Link to="/keys/$id" params={{ id }} className={look(isHead)}>
      {id}
    </Link>
  )
}

/** A team, which leads to its limits. */
export function TeamLink({ id, isHead }: NameLinkProps) {
  return (
    <Link to="/teams" search={{ team: id }} className={look(isHead)}>
      {id}
    </Link>
  )
}

/** A model, which leads to those who serve it. */
export function ModelLink({ id, isHead }: NameLinkProps) {
  return (
    <Link to="/models" search={{ search: id, open: id }} className={look(isHead)}>
      {id}
    </Link>
  )
}

function look(isHead = false): string {
  return `mono wrap-anywhere ${isHead ? 'quiet-link' : 'link'}`
}
