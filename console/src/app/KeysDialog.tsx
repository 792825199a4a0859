import { Dialog } from '../ui/Dialog.tsx'
import { Definition } from '../ui/Definition.tsx'
import { keyList, overlay, setKeysOn, useAreKeysOn } from './keys.ts'
import { navigation } from './navigation.ts'

/** The keys of the console, and a switch for them. */
export function KeysDialog() {
  const areOn = useAreKeysOn()
  const pages = navigation.flatMap(({ pages }) => pages)
  return (
    <Dialog isOpen onClose={() => overlay.set('none')} title="Keyboard">
      <Definition
        items={[
          ...keyList.map(([keys, effect]) => [effect, <kbd key={keys}>{keys}</kbd>] as const),
          ...pages.flatMap(({ name, key }) =>
            key === undefined ? [] : [[name, <kbd key={key}>g {key}</kbd>] as const],
          ),
        ]}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={areOn}
          onChange={(event) => setKeysOn(event.target.checked)}
        />
        <span>Keys without Ctrl are on</span>
      </label>
    </Dialog>
  )
}
