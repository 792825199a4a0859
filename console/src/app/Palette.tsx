import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'

import { useAnswer } from '../api/query.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { overlay } from './keys.ts'
import { Palette as PaletteOperation, type PaletteQuery } from './operations.generated.ts'
import { type Entry, entriesOf, isWhole, matching } from './palette-entries.ts'
import './palette.css'

/** Goes anywhere: pages, accounts, keys, models, and the page of a pasted id. */
export function Palette() {
  const { data, error } = useAnswer(PaletteOperation, {})
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = matching(entriesOf(data), text, !data || isWhole(data))
  const close = () => overlay.set('none')

  function open({ link }: Entry) {
    close()
    void navigate(link as never)
  }

  function onKey(event: KeyboardEvent) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined && found.length > 0) {
      event.preventDefault()
      setAt((at + by + found.length) % found.length)
    }
    const entry = found[at]
    if (event.key === 'Enter' && entry) {
      event.preventDefault()
      open(entry)
    }
  }

  return (
    <Dialog isOpen onClose={close} title="Command palette">
      <div className="palette">
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The dialog is this field.
          autoFocus
          role="combobox"
          aria-label="Page, account, key, model or id"
          aria-expanded={found.length > 0}
          aria-controls="palette-list"
          aria-autocomplete="list"
          {...(found[at] && { 'aria-activedescendant': `palette-${at}` })}
          placeholder="Page, account, key, model or id"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKey}
        />
        <ul id="palette-list" role="listbox" aria-label="Found">
          {found.map((entry, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The field has the keys.
            <li
              key={`${entry.kind} ${entry.name}`}
              id={`palette-${index}`}
              role="option"
              aria-selected={index === at}
              onClick={() => open(entry)}
              onPointerMove={() => setAt(index)}
              ref={index === at ? (item) => item?.scrollIntoView({ block: 'nearest' }) : undefined}
            >
              <span className={entry.kind === 'Page' ? 'cut' : 'cut mono'}>{entry.name}</span>
              <span className="palette-kind">{entry.kind}</span>
            </li>
          ))}
        </ul>
        {found.length === 0 && (
          <p className="palette-none" role="status">
            {wordsOf(data, error?.message)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** Why nothing is found: a name that is not known is not a name that is not there. */
function wordsOf(data: PaletteQuery | undefined, problem: string | undefined): string {
  if (problem !== undefined) return `Names are not known: ${problem}`
  if (!data) return 'The names are being asked for.'
  return 'Nothing of this name. A whole id goes to its page.'
}
