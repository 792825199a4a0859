import { useRef, useState } from 'react'

import './copy-id.css'

/** An id with a button that copies it. */
export function CopyId({ id, label = 'Copy' }: { readonly id: string; readonly label?: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const text = useRef<HTMLSpanElement>(null)
  async function copy() {
    try {
      await navigator.clipboard.writeText(id)
    } catch {
      // Without a secure context or a permission the page may only select it.
      if (text.current) getSelection()?.selectAllChildren(text.current)
      return
    }
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 1_500)
  }
  return (
    <span className="copy-id">
      <span ref={text} className="mono wrap-anywhere">
        {id}
      </span>
      <button type="button" aria-label={`${label} ${id}`} onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span className="hidden-label" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  )
}
