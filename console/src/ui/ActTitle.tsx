/** The title of the dialog of an act: its verb, and the object that it is done to. */
export function ActTitle({ verb, id }: { readonly verb: string; readonly id: string }) {
  return (
    <>
      {verb} <span className="mono">{id}</span>
    </>
  )
}
