import { useRef } from 'react'

import './copy-id.css'
import { useCopy } from './copy.ts'

/** An id with a button that copies it. */
export function CopyId({ id, label = 'Copy' }: { readonly id: string; readonly label?: string }) {
  const text = useRef<HTMLSpanElement>(null)
  const [isCopied, copy] = useCopy(id, text)
  return (
    <span className="copy-id">
      <span ref={text} className="mono wrap-anywhere">
        {id}
      </span>
      <button type="button" aria-label={`${label} ${id}`} onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span className="hidden-label" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  )
}
