import { type RefObject, useState } from 'react'

/** How long it stands that something was copied, in milliseconds. */
const shownMs = 1_500

/** Copies a text, and whether it was just copied. Without a clipboard, `shown` is selected for the user to copy. */
export function useCopy(
  text: string,
  shown: RefObject<HTMLElement | null>,
): readonly [isCopied: boolean, copy: () => void] {
  const [isCopied, setIsCopied] = useState(false)
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // Without a secure context or a permission the page may only select it.
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      return
    }
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), shownMs)
  }
  return [isCopied, () => void copy()]
}
