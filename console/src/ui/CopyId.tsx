import { useState } from 'react'

import './copy-id.css'

/** An id with a button that copies it. */
export function CopyId({ id, label = 'Copy' }: { readonly id: string; readonly label?: string }) {
  const [isCopied, setIsCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(id)
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 1_500)
  }
  return (
    <span className="copy-id">
      <span className="mono wrap-anywhere">{id}</span>
      <button type="button" aria-label={`${label} ${id}`} onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span className="hidden-label" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  )
}
