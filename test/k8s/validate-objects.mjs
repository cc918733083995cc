// Reads a list of {model, object} and prints a list of what is wrong with each. A process of its own: the models are modules that jest cannot load.
import { text } from 'node:stream/consumers';

const faults = [];
for (const { model, object } of JSON.parse(await text(process.stdin))) {
  const { [object.kind]: Model } = await import(model);
  try {
    new Model(object).validate();
  } catch (error) {
    faults.push(`${object.kind} ${object.metadata.name}: ${error.message}`);
  }
}
process.stdout.write(JSON.stringify(faults));
