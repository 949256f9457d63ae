#include "davit/sea/wind_spec.hpp"

#include <cmath>

#include "davit/sea/beaufort.hpp"

namespace davit::sea {

const input::Record<WindSpec>& WindSpec::record() {
  static const auto r =
      input::Record<WindSpec>("wind", "The wind over the sea")
          .choice("model", &WindSpec::model,
                  {{"constant", WindKind::constant}, {"npd", WindKind::npd}, {"kaimal", WindKind::kaimal}},
                  "a steady wind; gusts by NPD (Frøya, ISO 19901-1); gusts by Kaimal (IEC 61400-1)")
          .by_default()
          .field("speed", &WindSpec::speed, "m/s", "mean speed")
          .at_least(0)
          .field("beaufort", &WindSpec::beaufort,
                 "in place of the speed: number on the Beaufort scale, with a mean speed of 0.836 B^1.5 m/s at 10 m")
          .at_least(0)
          .at_most(highest_beaufort)
          .field("heading", &WindSpec::heading, "rad", "where the wind blows to: 0 along x, 90 deg along y")
          .by_default()
          .field("height", &WindSpec::height, "m", "at which the speed is given; left out: 10 m (npd has no other)")
          .at_least(1)
          .field("exponent", &WindSpec::exponent, "1",
                 "of the mean speed over height (constant: 0, kaimal: 0.14; npd has its own profile)")
          .at_least(0)
          .at_most(1)
          .field("intensity", &WindSpec::intensity, "1",
                 "standard deviation of gusts in parts of the speed (kaimal); left out: 0.12")
          .above(0)
          .at_most(1)
          .field("averaging_time", &WindSpec::averaging_time, "s", "of the speed (npd); left out: 1 h")
          .above(0)
          .at_most(3600)
          .field("reference_height", &WindSpec::reference_height, "m",
                 "where gusts have exactly the variance of the model: npd its own between the frequencies of 'range', "
                 "kaimal the square of intensity times speed, whatever 'range' is")
          .at_least(1)
          .by_default()
          .field("harmonics", &WindSpec::harmonics, "how many make the gusts")
          .at_least(1)
          .at_most(100000)
          .by_default()
          .field("range", &WindSpec::range, "Hz", "lowest and highest frequency of gusts")
          .above(0)
          .by_default()
          .field("ramp", &WindSpec::ramp, "s",
                 "time over which gusts come up at the start; up to it the mean wind blows")
          .at_least(0)
          .by_default()
          .field("seed", &WindSpec::seed, "the same seed gives the same wind")
          .at_least(0)
          .by_default()
          .located(&WindSpec::where)
          .check([](const WindSpec& s, const input::Where& place, input::Problems& problems) {
            if (s.speed.has_value() == s.beaufort.has_value())
              problems.error(place,
                             s.speed ? "the speed of the wind is given twice" : "the speed of the wind is missing",
                             "give 'speed', e.g. 10 m/s, or 'beaufort'");
            if (s.beaufort && ((s.height && *s.height != 10) || s.averaging_time))
              problems.error(place, "the Beaufort scale is about the mean wind at 10 m",
                             "leave out 'height' and 'averaging_time', or give 'speed'");
            if (!(s.range[0] < s.range[1]))
              problems.error(place, "'range' is not a lower and a higher frequency", "give the lower frequency first");
            if (s.intensity && s.model != WindKind::kaimal)
              problems.error(place, "'intensity' belongs to kaimal", "leave it out, or take 'model: kaimal'");
            if (s.averaging_time && s.model != WindKind::npd)
              problems.error(place, "'averaging_time' belongs to npd", "leave it out, or take 'model: npd'");
            if (s.model == WindKind::npd && (s.exponent || (s.height && *s.height != 10)))
              problems.error(place, "npd has its own profile over height, from the speed at 10 m",
                             "leave out 'exponent' and 'height'");
            if (s.model != WindKind::constant && (s.speed || s.beaufort) && s.mean_speed() == 0)
              problems.error(place, "gusts need a mean speed", "give a speed above zero");
          });
  return r;
}

double WindSpec::mean_speed() const { return speed ? *speed : beaufort ? beaufort_wind(*beaufort) : 0; }

WindField make_wind(const WindSpec& s) {
  const double speed = s.mean_speed();
  const double height = s.height.value_or(10);
  if (s.model == WindKind::constant) return {steady_wind(speed, height, s.exponent.value_or(0)), s.heading};
  Random random(static_cast<std::uint64_t>(s.seed));
  const FrequencyRange band{s.range[0], s.range[1]};
  const auto kaimal = [&] {
    const double intensity = s.intensity.value_or(0.12);
    return with_gust_variance(kaimal_wind(speed, height, intensity, s.exponent.value_or(0.14)),
                              std::pow(intensity * speed, 2), s.reference_height, band);
  };
  const WindModel model =
      s.model == WindKind::npd ? npd_wind(npd_hourly_speed(speed, s.averaging_time.value_or(3600))) : kaimal();
  return {model, s.heading, s.reference_height, s.harmonics, band, random, s.ramp};
}

}  // namespace davit::sea
